// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Reads a JSON document field by field. For what reads one alone: it brings all of the JSON library.
 */
#ifndef TRAPEZE_SIM_KERNEL_FIELD_H
#define TRAPEZE_SIM_KERNEL_FIELD_H

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace trapeze {

/** A place in the document, for errors, which are std::runtime_error and name it. */
class Field {
 public:
  Field(const nlohmann::json& value, std::string where) : value_(value), where_(std::move(where)) {}

  Field operator[](const char* key) const {
    if (!value_.is_object() || !value_.contains(key)) fail(std::string("lacks '") + key + "'");
    return {value_.at(key), where_ + "." + key};
  }
  std::optional<Field> find(const char* key) const {
    if (!value_.is_object() || !value_.contains(key)) return std::nullopt;
    return Field{value_.at(key), where_ + "." + key};
  }
  /** The value, if it is a `T`; numbers are not negative. */
  template <typename T>
  T as() const {
    try {
      if (std::is_unsigned_v<T> && !std::is_same_v<T, bool> && !value_.is_number_unsigned()) fail("is no number");
      if constexpr (std::is_unsigned_v<T> && !std::is_same_v<T, bool>) {
        if (value_.get<std::uint64_t>() > std::numeric_limits<T>::max()) fail("is too large");
      }
      return value_.get<T>();
    } catch (const nlohmann::json::exception&) {
      fail("has another type than it should");
    }
  }
  /** The same of member `key`, if there is one. */
  template <typename T>
  std::optional<T> find_as(const char* key) const {
    const auto found = find(key);
    return found ? std::optional<T>(found->as<T>()) : std::nullopt;
  }
  template <typename T>
  T as_or(const char* key, T otherwise) const {
    const auto found = find(key);
    return found ? found->as<T>() : otherwise;
  }
  /** Calls `body` for each of a list. */
  template <typename Body>
  void each(Body&& body) const {
    if (!value_.is_array()) fail("is no list");
    for (std::size_t n = 0; n < value_.size(); ++n) body(Field{value_[n], where_ + "." + std::to_string(n)});
  }
  /** Refuses an object that has other members than these. */
  void only(std::initializer_list<std::string_view> known) const {
    each_name([&](const std::string& name) {
      if (std::find(known.begin(), known.end(), name) == known.end()) fail("has '" + name + "', which is not known");
    });
  }
  /** Calls `body` with the name of each member. */
  template <typename Body>
  void each_name(Body&& body) const {
    if (!value_.is_object()) fail("is no object");
    for (const auto& one : value_.items()) body(one.key());
  }
  [[noreturn]] void fail(const std::string& why) const { throw std::runtime_error(where_ + ": " + why); }

 private:
  const nlohmann::json& value_;
  std::string where_;
};

}  // namespace trapeze

#endif  // TRAPEZE_SIM_KERNEL_FIELD_H
