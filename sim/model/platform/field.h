// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Reads the file of a platform field by field. For what reads it alone: it brings all of the JSON library.
 */
#ifndef TRAPEZE_SIM_MODEL_PLATFORM_FIELD_H
#define TRAPEZE_SIM_MODEL_PLATFORM_FIELD_H

#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

namespace trapeze::model {

/** A place in the file, for errors. */
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
      return value_.get<T>();
    } catch (const nlohmann::json::exception&) {
      fail("has another type than it should");
    }
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

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_PLATFORM_FIELD_H
